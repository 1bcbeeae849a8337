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
