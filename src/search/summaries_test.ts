import assert from "node:assert/strict";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { openPublishedIndex } from "../index/mod.ts";
import { openForWriting } from "../platform/sqlite/mod.ts";
import { readQuery } from "./query.ts";
import { type IndexRanking, rankIndex } from "./ranked_index.ts";

const section = (subject: string, n: number) =>
  `## Part ${n}\n\n${`The ${subject} crosses part ${n} of the savanna slowly. `.repeat(12)}\n\n`;
const long = (subject: string) => [1, 2, 3, 4].map((n) => section(subject, n)).join("");

async function inForest(
  raptor: boolean,
  work: (ask: (query: string) => ReturnType<typeof rankIndex>) => void,
  damage = "",
): Promise<void> {
  await inScratchProject(async (project: ScratchProject) => {
    project.add({
      "a.zebra": { title: "Zebra", body: long("zebra") },
      "b.gnu": { title: "Gnu", body: long("gnu") },
      "c.lion": { title: "Lion", body: long("lion") },
      "d.short": { title: "Short", body: "A zebra savanna slowly." },
    });
    await project.applyWithoutPurge();
    const { report } = await project.build({ raptor });
    {
      using file = openForWriting(report.indexPath, { create: false, journal: "delete" });
      file.exec(damage);
    }
    const levels = ["public", "internal"] as const;
    const opened = openPublishedIndex(project.project, project.dataDirectory, levels, false);
    assert.ok("connection" in opened);
    using _closing = opened.connection;
    work((query) =>
      rankIndex(opened, readQuery(query), { includeUnapproved: false, useDense: false })
    );
  });
}

Deno.test("A forest shows the way down to a document, from the broadest summary to its own", async () => {
  await inForest(true, (ask) => {
    const ranking = ask("zebra");
    const byId = new Map(ranking.documents.map((one) => {
      const row = ranking.row(one.document);
      return [row.itemId, row];
    }));
    const { path, saysIt } = ranking.ancestry(byId.get("a.zebra")!)!;
    assert.deepEqual(path.map((node) => node["level"]), [2, 1]);
    assert.equal(saysIt, true);
    assert.equal(ranking.ancestry(byId.get("d.short")!), null);
  });
  await inForest(false, (ask) => {
    const ranking = ask("zebra");
    const rows = ranking.documents.map((one) => ranking.row(one.document));
    assert.ok(rows.every((row) => ranking.ancestry(row) === null));
  });
});

Deno.test("A summary under another label than the document's is no part of its way", async () => {
  for (const label of ["status = 'draft'", "sensitivity = 'public'"]) {
    await inForest(true, (ask) => {
      const ranking = ask("zebra");
      const zebra = ranking.documents.map((one) => ranking.row(one.document))
        .find((row) => row.itemId === "a.zebra")!;
      const levels = ranking.ancestry(zebra)!.path.map((node) => node["level"]);
      assert.deepEqual(levels, [1], label);
    }, `UPDATE nodes SET ${label} WHERE level = 2`);
  }
});

Deno.test("A broad summary that says all of a question leads to the documents under it, behind others", async () => {
  await inForest(true, (ask) => {
    const ranking = ask("zebra savanna crosses");
    const ids = ranking.documents.map((one) => ranking.row(one.document).itemId);
    assert.equal(ids[0], "a.zebra");
    const scores = ranking.documents.map((one) => one.score);
    assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
    assert.deepEqual(ask("qqqq zzzz").documents, []);
  });
});

Deno.test("A document whose own summary says all of a question is raised, and of one word not", async () => {
  const scores: Record<string, number> = {};
  for (const raptor of [true, false]) {
    await inForest(raptor, (ask) => {
      for (const query of ["zebra slowly", "zebra"]) {
        const ranking = ask(query);
        const found = ranking.documents.find((one) =>
          ranking.row(one.document).itemId === "a.zebra"
        );
        scores[`${query} ${raptor}`] = found!.score;
      }
    });
  }
  assert.ok(scores["zebra slowly true"]! > scores["zebra slowly false"]!);
  assert.equal(scores["zebra true"], scores["zebra false"]);
});

Deno.test("A forest's ranking cut short begins as the whole one does", async () => {
  const words = ["cache", "queue", "retry", "lease", "shard", "quota"];
  const subjectOf = (n: number) =>
    words.filter((_, place) => (n * 7 + place * 5) % 4 < 2 || (n >> place) % 3 === 0).join(" ");
  await inScratchProject(async (project: ScratchProject) => {
    project.add(Object.fromEntries(Array.from({ length: 90 }, (_, n) => {
      const body = `${long(subjectOf(n))}${"Filler of another kind. ".repeat(n % 11)}`;
      return [`area-${n % 3}.item-${n}`, { title: `Title ${n} ${words[n % 6]}`, body }];
    })));
    await project.applyWithoutPurge();
    await project.build({ raptor: true });
    const levels = ["public", "internal"] as const;
    const opened = openPublishedIndex(project.project, project.dataDirectory, levels, false);
    assert.ok("connection" in opened);
    using _closing = opened.connection;
    const rank = (query: string, more: { readonly most?: number } = {}): IndexRanking =>
      rankIndex(opened, readQuery(query), { includeUnapproved: false, useDense: false, ...more });
    let raised = 0;
    for (const first of words) {
      for (const second of words) {
        for (const query of [first, `${first} ${second}`, `savanna ${first} ${second}`]) {
          const whole = rank(query);
          for (const most of [20, 30]) {
            const cut = rank(query, { most });
            assert.equal(cut.isCut, whole.documents.length > most, query);
            assert.deepEqual(cut.documents.slice(0, most), whole.documents.slice(0, most), query);
            raised += cut.documents.length > most ? 1 : 0;
          }
        }
      }
    }
    assert.ok(raised > 0, "no document behind the cut could have been raised");
  });
});
