import { v5 } from 'uuid'

/** The namespace of ids that are made of what something says. It must never change: the same file would come twice. */
const NAMESPACE = '6f1d3c52-8a0b-5d0e-9a53-0d3a4f6c7e21'

/** A STIX id for something that comes without one: the same for the same content, however often it is read. */
export const madeId = (type: string, ...content: readonly unknown[]): string =>
  `${type}--${v5(JSON.stringify([type, ...content]), NAMESPACE)}`
