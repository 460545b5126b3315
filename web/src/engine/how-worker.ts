// Computes positions and measures layers off the page's thread.

import { layersOf } from "./costs.ts";
import { failureOf } from "./failure.ts";
import { type HowReply, type HowRequest, kLengths, layerKinds } from "./how-protocol.ts";
import { computePositions } from "./positions.ts";
import { measure, warmUp } from "./timing.ts";

let latest: HowRequest | undefined;

self.addEventListener("message", ({ data }: MessageEvent<HowRequest>) => {
  if (data.kind === "positions") {
    computePositions().then(
      (positions) => reply({ kind: "positions", positions }),
      (error: unknown) => reply({ kind: "failed", of: "positions", ...failureOf(error) }));
    return;
  }
  latest = data;
  if (data.kind === "measure") {
    measureAll(data).catch((error: unknown) => {
      if (latest === data) reply({ kind: "failed", of: "measure", ...failureOf(error) });
    });
  }
});

/** From short to long, so that something is soon seen. */
async function measureAll(request: HowRequest & { kind: "measure" }): Promise<void> {
  const { width } = request;
  const goesOn = async () => {
    await new Promise((done) => setTimeout(done));
    return latest === request;
  };
  const layers = await layersOf(width);
  try {
    for (const kind of layerKinds) {
      warmUp(() => layers.run(kind, kLengths[0]));
      if (!(await goesOn())) return;
    }
    for (const n of kLengths) {
      for (const kind of layerKinds) {
        const time = await measure(() => layers.run(kind, n), goesOn);
        if (time === undefined) return;
        reply({ kind: "measured", width, measured: { kind, n, time } });
      }
    }
    if (await goesOn()) reply({ kind: "finished", width });
  } finally {
    layers.dispose();
  }
}

function reply(message: HowReply): void {
  self.postMessage(message);
}
