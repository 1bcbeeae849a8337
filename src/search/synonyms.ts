/**
 * Words of engineering that people use for one another. A query that says one finds, with less
 * weight, what says another.
 *
 * @module
 */

import { stemWord } from "../lexicon/mod.ts";

/** One group a line; the words are compared by their stems. */
const GROUPS = `
auth authentication authenticate login signin
authorization authorize permission access
credential secret password token
db database
repo repository
config configuration setting settings option
env environment
param parameter argument
dir directory folder
app application
doc docs document documentation
spec specification
func function method
lib library package dependency
dev development
prod production
msg message
req request
resp response reply answer
err error failure fault exception
crash panic abort
bug defect
delete remove erase drop purge
create add new
change modify edit update alter
replace supersede substitute
stop halt end terminate shutdown
start begin launch boot
fetch retrieve load read
store save persist write
send publish emit
queue backlog
job task
worker process thread
lock mutex semaphore
concurrent parallel simultaneous
timeout deadline expiry expire
retry reattempt attempt
duplicate twice repeated
fast quick speed performance latency
slow delay lag
memory ram
limit bound cap maximum ceiling quota
minimum floor
cache memoize
encrypt encryption cipher
hash digest checksum
sign signature
rotate rotation renew
restore recover recovery
rollback revert undo
backup snapshot
deploy deployment release rollout ship
version revision
test tests testing check verify
mock stub fake
metric measurement monitoring
alert alarm page
incident outage
log logging trace
user customer client
money amount currency price
pay payment
refund reimbursement
bill invoice
order purchase
buy purchase
cancel abort withdraw
forbid forbidden ban prohibit disallow never
allow permit
must required mandatory
choose chose decide decision pick
reject rejected refuse decline
reason rationale why
rule policy convention guideline
number integer numeric
text string
list array
map dictionary
time clock timestamp
date day
timezone offset utc
sort order ordering
search find lookup query
rank score ranking
index indexing
summary summarise abstract
language locale translation
network socket connection
endpoint route api
server service daemon
browser frontend ui interface
disk storage filesystem
path file
container docker image
cluster kubernetes k8s
pipeline ci build
branch fork
merge combine join
split divide partition shard
copy clone duplicate
move migrate migration transfer
schema structure format
validate validation check
parse parser decode
encode serialize serialise
rate throttle throttling limiting
owner ownership maintainer
team group
vendor provider supplier
review reviewer approve approval
private confidential internal
public open
hazardous dangerous unsafe risky
apart separate separation segregation distance
cargo freight goods shipment load
cold cool chilled frozen refrigerated
hot warm heat heated
temperature degree celsius fahrenheit thermal
external outside outer foreign
inside inner within
remote distant
technician mechanic engineer operator
functionality feature capability behaviour
box container crate package
depart departure leave sail
arrive arrival reach
boat ship vessel
truck lorry vehicle car
device equipment machine hardware
phone handheld tablet mobile
offline disconnected unreachable
online connected reachable
fee charge cost price tariff rate
cheap inexpensive low
late overdue delayed
early soon before
broken faulty defective damaged corrupt
repair fix mend correct
employee staff worker personnel
boss manager lead
teach train training learn
explain describe tell
show display present render
hide conceal withhold mask
visible shown
trust trusted reliable
secure safe protected
attack attacker threat exploit
leak disclose disclosure expose
spy eavesdrop intercept
steal theft stolen
guess predict estimate forecast
measure count tally
compare comparison difference diff
equal identical same
different distinct other
big large huge great
small little tiny short
long lengthy
old legacy former previous earlier
new recent latest current
first initial
last final
next following
again repeat retry
always every each
sometimes occasionally
often frequent frequently
rare seldom
begin start
finish complete done end
pause suspend hold wait
resume continue proceed
skip omit ignore
include contain hold
exclude omit leave
need require demand
want wish request
help assist support
use employ apply utilise
try attempt
give provide supply deliver
take receive accept get
keep retain preserve store
lose lost missing
find locate discover
choose select pick
change switch toggle
turn switch
enable activate
disable deactivate
connect link attach join
disconnect detach
open unlock
close shut lock
push publish
pull fetch
build compile make
run execute perform
plan schedule
planner scheduler
clean cleanup tidy sweep
empty blank void
full complete whole
part piece portion section fragment
group set batch bundle
place location position spot slot
area zone region
site location terminal
layer tier level stage
top highest maximum
bottom lowest minimum
front beginning head
back rear tail
left right side
colour color
picture image photo photograph
letter mail email message
note remark comment annotation
paper document sheet form
law regulation legal rule
contract agreement licence license
sign signature signed
person people human individual
driver operator
night nightly overnight
daily day
weekly week
monthly month
yearly year annual
holiday vacation leave
weather storm wind typhoon
water sea ocean
harbour port dock
`;

const BY_STEM: ReadonlyMap<string, readonly string[]> = (() => {
  const map = new Map<string, Set<string>>();
  for (const line of GROUPS.split("\n")) {
    const stems = [...new Set(line.split(" ").filter((word) => word !== "").map(stemWord))];
    for (const stem of stems) {
      const others = map.get(stem) ?? new Set();
      for (const other of stems) if (other !== stem) others.add(other);
      map.set(stem, others);
    }
  }
  return new Map([...map].map(([stem, others]) => [stem, [...others].sort()]));
})();

/** Stems that mean about the same as this one, in ascending order. */
export function synonymsOf(stem: string): readonly string[] {
  return BY_STEM.get(stem) ?? [];
}
