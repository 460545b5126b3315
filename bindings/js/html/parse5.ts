// What is taken from parse5: a parser that does what browsers do. The build puts it into this file, so that the package
// needs no other.
export { parse, parseFragment, serializeOuter } from "parse5";
