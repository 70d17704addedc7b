import type { Tlp } from '../../domain/tlp.ts'

/** Something that goes into a prompt. */
export interface InputObject {
  readonly kind: 'entities' | 'observables'
  readonly id: string
  readonly title: string
  /** The effective colour. */
  readonly tlp: Tlp
}
