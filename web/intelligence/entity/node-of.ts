import { idOf } from '../../api/lists.ts'

/** The id of an attack node from its id or URL. In an id such as `TA0001:T1566`, the colon does not end the scheme of a URL. */
export const nodeOf = (value: string): string => (value.includes('/') ? idOf(value) : value)
