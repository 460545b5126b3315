// Files come by a button, or dropped anywhere on the page, so that one that misses its place does not replace the page.

export function takeFiles(input: HTMLInputElement, take: (files: File[]) => void): void {
  input.addEventListener("change", () => {
    take([...input.files!]);
    input.value = ""; // so that the same file can be chosen again
  });
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const mark = (on: boolean) => document.body.classList.toggle("dragging", on);
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer!.dropEffect = "copy";
    mark(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) mark(false); // out of the window
  });
  document.addEventListener("drop", (event) => {
    mark(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    take([...event.dataTransfer!.files]);
  });
}
