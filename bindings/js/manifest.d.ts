// The package's models/manifest.json as a module, which the build writes: not everything that runs JavaScript can import JSON.
import type { ModelManifest } from "./models.js";

declare const manifest: ModelManifest;
export default manifest;
