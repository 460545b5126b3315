// The colour of a weight: one hue family, lightness linear in OKLab, so that equal steps of weight look equally large, to
// colour-blind eyes too. In the light scheme more weight is more ink; in the dark scheme it is more light.

import type { Numbers } from "./sayings.ts";

export type Scheme = "light" | "dark";

export const kSteps = 256;

export interface Stop {
  lightness: number;
  chroma: number;
  hue: number;
}

// Hue and chroma move with the lightness only as far as sRGB reaches there.
const kEnds: Record<Scheme, { from: Stop; to: Stop; bulge: number }> = {
  light: { from: { lightness: 0.958, chroma: 0.014, hue: 262 }, to: { lightness: 0.3, chroma: 0.13, hue: 276 }, bulge: 0.1 },
  dark: { from: { lightness: 0.285, chroma: 0.03, hue: 262 }, to: { lightness: 0.96, chroma: 0.03, hue: 250 }, bulge: 0.1 },
};

/** 256 RGB triples, for weights 0 to 1. */
export function ramp(scheme: Scheme): Uint8ClampedArray {
  const { from, to, bulge } = kEnds[scheme];
  const colours = new Uint8ClampedArray(3 * kSteps);
  for (let step = 0; step < kSteps; ++step) {
    const t = step / (kSteps - 1);
    const rgb = oklchToRgb({
      lightness: from.lightness + t * (to.lightness - from.lightness),
      chroma: from.chroma + t * (to.chroma - from.chroma) + bulge * Math.sin(Math.PI * t),
      hue: from.hue + t * (to.hue - from.hue),
    });
    colours.set(rgb, 3 * step);
  }
  return colours;
}

/** The step of the ramp for a weight; what is not a number, or outside 0 to 1, is drawn as the nearest end. */
export function rampStep(weight: number): number {
  return weight > 0 ? Math.round(Math.min(weight, 1) * (kSteps - 1)) : 0;
}

/** The number on a weight's colour: "1.00", ".25"; none where it would only say that there is hardly any. */
export function numberOf(weight: number, { short }: Pick<Numbers, "short">): string {
  return weight >= 0.05 ? short(weight) : "";
}

/** Whether the colour is nearer to the far end of the ramp, where numbers take the other ink. */
export function isDeep(weight: number): boolean {
  return weight > 0.48;
}

// Björn Ottosson's OKLab (2020), to sRGB bytes. Channels outside sRGB are clipped.
export function oklchToRgb({ lightness, chroma, hue }: Stop): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gammaByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gammaByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gammaByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function gammaByte(linear: number): number {
  const clipped = Math.min(1, Math.max(0, linear));
  return 255 * (clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055);
}
