import type { Description } from "./sayings.ts";

const kGap = 10;

/** The tooltip. Screen readers need it not: the names of what has the focus say the same. */
export class Tip {
  readonly element = document.createElement("div");

  constructor() {
    this.element.className = "tip";
    this.element.hidden = true;
    this.element.append(document.createElement("b"), document.createElement("span"));
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** Beside `rect`, inside `host` and not above `top`. All are places in the window. */
  show({ title, text }: Description, rect: DOMRect, host: DOMRect, top: number): void {
    this.element.hidden = false;
    this.element.querySelector("b")!.textContent = title;
    this.element.querySelector("span")!.textContent = text;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const right = rect.right - host.left + kGap;
    const left = right + width <= host.width ? right : rect.left - host.left - kGap - width;
    // Above and to the right: alignments tend to run down to the right, so least is covered there.
    const above = rect.top - kGap - height;
    const down = above >= Math.max(0, top) ? above - host.top : rect.bottom - host.top + kGap;
    this.element.style.transform = `translate(${Math.round(Math.max(0, left))}px, ${Math.round(down)}px)`;
  }
}
