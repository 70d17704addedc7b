import type { Subject } from '../step.ts'

/** The path of the page that shows an object. */
export const pageOf = ({ collection, id }: Subject): string => `/${collection}/${id}`
