import { v7 } from 'uuid'

/** A new id, greater than all earlier ids of this process, so that ids sort in the order of creation. */
export const makeId = (): string => v7()
