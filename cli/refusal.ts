/** A command that cannot be done, in one sentence for the person who gave it. */
export class Refusal extends Error {}
