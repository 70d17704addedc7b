/** Lets requests be served that came in while a lot was done at once. */
export const othersHadTheirTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
