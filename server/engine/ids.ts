import { v7 } from 'uuid'

/** A new id, greater than all that this process made before: what is made together stays in its order. */
export const makeId = (): string => v7()
