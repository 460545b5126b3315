export * from "./recurrent.js";
export * from "./looking-back.js";
export * from "./attention.js";
export * from "./transformer.js";
export * from "./positions.js";
export * from "./local.js";
export * from "./images.js";
export { Layer, readSafetensors, type LayerOptions, type Output, type SequenceOptions, type StateDict, type Tensor, type TensorLike, type Weights } from "./layer.js";
