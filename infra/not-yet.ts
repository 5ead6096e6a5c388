/** Thrown by the handler of a job that must wait for another: it gives its place up, since that job may need it, and this was no failed try. */
export class NotYet extends Error {}
