/** A failed command, explained to the user in one sentence. */
export class Refusal extends Error {}
