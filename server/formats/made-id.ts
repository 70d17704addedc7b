import { v5 } from 'uuid'

/** The namespace of ids derived from contents. It must never change, or the same file would be imported twice. */
const NAMESPACE = '6f1d3c52-8a0b-5d0e-9a53-0d3a4f6c7e21'

/** A deterministic STIX id for an item without one: the same for the same contents. */
export const madeId = (type: string, ...content: readonly unknown[]): string =>
  `${type}--${v5(JSON.stringify([type, ...content]), NAMESPACE)}`
