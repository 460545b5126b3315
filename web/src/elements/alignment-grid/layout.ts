// Where everything in the grid goes, from the sizes of its labels and of the room it has. Pure, so that it can be tested
// without a browser. Lengths are CSS pixels.

export interface Room {
  width: number;
  /** The height that the grid should not outgrow while its cells are large. */
  height: number;
}

export interface Labels {
  /** Widths of the source words, which run across, in full size. */
  columns: readonly number[];
  /** Widths of the target words, which run down, in full size. */
  rows: readonly number[];
  fontSize: number;
  /** What the corner needs, which says what runs across and what runs down. */
  corner?: { width: number; height: number };
}

export interface GridLayout {
  cell: number;
  /** Degrees that column labels are turned by. */
  turn: 0 | 45 | 90;
  headWidth: number;
  headHeight: number;
  /** Room to the right of the cells, for slanted labels that reach past them. */
  overhang: number;
  /** Longest a column label may be before it is cut with an ellipsis. */
  columnLabel: number;
  /** Font size of the labels: full, or what fits beside small cells. */
  labelSize: number;
}

export const kSmallestCell = 14;
export const kLargestCell = 60;
/** Below this, slanted labels would touch each other. */
const kSmallestSlantedCell = 22;
/** A tall grid makes its cells smaller to stay in sight, but not smaller than this. */
const kSmallestTallCell = 20;
const kGap = 10;
const kLongestColumnLabel = 132;
const kNarrowestHead = 48;
const kLineHeight = 1.25;

export function layoutGrid(labels: Labels, room: Room): GridLayout {
  const full = layoutWith(labels, room);
  const labelSize = Math.min(labels.fontSize, full.cell - 2);
  if (labelSize === labels.fontSize) return { ...full, labelSize };
  // Smaller labels need less room.
  const scale = labelSize / labels.fontSize;
  const scaled = (widths: readonly number[]) => widths.map((width) => scale * width);
  const small = { ...labels, columns: scaled(labels.columns), rows: scaled(labels.rows), fontSize: labelSize };
  return { ...layoutWith(small, room), labelSize };
}

function layoutWith(labels: Labels, room: Room): Omit<GridLayout, "labelSize"> {
  const columns = Math.max(1, labels.columns.length);
  const widths = labels.columns.map((width) => Math.min(width, kLongestColumnLabel));
  const widest = Math.max(0, ...widths);
  const lineHeight = kLineHeight * labels.fontSize;
  const tallest = Math.max(kSmallestTallCell, Math.floor(room.height / Math.max(1, labels.rows.length)));
  const headWidth = Math.ceil(
    Math.min(Math.max(kNarrowestHead, labels.corner?.width ?? 0, ...labels.rows) + 2 * kGap, Math.max(84, 0.3 * room.width)));
  const lowest = labels.corner?.height ?? 0;
  const cellWith = (overhang: number) => {
    const fitting = Math.floor((room.width - headWidth - overhang) / columns);
    return Math.max(kSmallestCell, Math.min(kLargestCell, tallest, fitting));
  };

  const flat = cellWith(0);
  if (widest + 4 <= flat) {
    return { cell: flat, turn: 0, headWidth, headHeight: Math.ceil(Math.max(lineHeight + kGap, lowest)), overhang: 0, columnLabel: flat };
  }
  // Smaller cells bring earlier labels nearer to the right edge, so the overhang is taken again once they are known.
  const overhang = overhangOf(widths, cellWith(overhangOf(widths, kSmallestSlantedCell)));
  const slanted = cellWith(overhang);
  if (slanted >= kSmallestSlantedCell) {
    return {
      cell: slanted, turn: 45, headWidth,
      headHeight: Math.ceil(Math.max((widest + lineHeight) * Math.SQRT1_2 + kGap, lowest)),
      overhang: overhangOf(widths, slanted), columnLabel: kLongestColumnLabel,
    };
  }
  return {
    cell: flat, turn: 90, headWidth, headHeight: Math.ceil(Math.max(widest + kGap, lowest)), overhang: 0, columnLabel: kLongestColumnLabel,
  };
}

function overhangOf(widths: readonly number[], cell: number): number {
  const reach = widths.map((width, column) => (column + 0.75 - widths.length) * cell + width * Math.SQRT1_2);
  return Math.max(0, Math.ceil(Math.max(0, ...reach)));
}
