// Gives programs compiled for Node the host's environment, where GoogleTest reads which half to run.
Module.preRun = () => Object.assign(ENV, process.env);
