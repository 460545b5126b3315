// Chooses one target for each source, for a student to learn from: fewer ways to say the same are learned sooner (Kim & Rush
// 2016, "Sequence-Level Knowledge Distillation", 3.3).
//
//   cut -f1 TRAIN.tsv | sort -u > sources
//   softalign translate --model TEACHER --beam 4 < sources | paste sources - > teacher.tsv
//   node scripts/distil-pairs.mjs TRAIN.tsv teacher.tsv > distilled.tsv
//
// The teacher's translation where it is near one of the references, and the nearest of them else: a teacher does not know
// every word.
import { readFileSync } from "node:fs";

/** How much a translation shares with its reference to be near it: 1 is everything. */
const near = 0.6;
const longest = 4;

const lines = (path) => readFileSync(path, "utf8").split("\n").filter(Boolean).map((line) => line.split("\t"));
const [trainPath, teacherPath] = process.argv.slice(2);
if (!teacherPath) {
  console.error("usage: node scripts/distil-pairs.mjs TRAIN.tsv TEACHER.tsv > distilled.tsv");
  process.exit(2);
}

/** How often each run of `n` characters is in `text`. */
function runs(text, n) {
  const counts = new Map();
  for (let i = 0; i + n <= text.length; ++i) counts.set(text.slice(i, i + n), (counts.get(text.slice(i, i + n)) ?? 0) + 1);
  return counts;
}

/** The F1 score of runs of 1 to `longest` characters, averaged over their lengths; one white space is as good as another. */
function shared(translation, reference) {
  const [a, b] = [translation, reference].map((text) => text.replace(/\s+/g, " "));
  let sum = 0, kinds = 0;
  for (let n = 1; n <= Math.min(longest, Math.max(a.length, b.length)); ++n, ++kinds) {
    const [ofA, ofB] = [runs(a, n), runs(b, n)];
    let same = 0;
    for (const [run, count] of ofA) same += Math.min(count, ofB.get(run) ?? 0);
    sum += (2 * same) / (Math.max(a.length - n + 1, 0) + Math.max(b.length - n + 1, 0));
  }
  return sum / kinds;
}

const references = new Map();
for (const [source, target] of lines(trainPath)) references.set(source, [...(references.get(source) ?? []), target]);
let taught = 0;
const out = [];
for (const [source, translation] of lines(teacherPath)) {
  const scored = (references.get(source) ?? []).map((target) => ({ target, score: shared(translation, target) }));
  if (scored.length === 0) continue;
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  if (best.score >= near) ++taught;
  out.push(`${source}\t${best.score >= near ? translation : best.target}`);
}
process.stdout.write(out.map((line) => line + "\n").join(""));
console.error(`${out.length} sources, ${taught} with the teacher's translation`);
