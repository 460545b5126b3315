// softalign_relaxed.wasm as text (base64), which the build writes: three kilobytes are not worth a request of their own.
declare const base64: string;
export default base64;
