import { TLP_ORDER } from '../../server/domain/tlp.ts'
import type { Made } from './made.ts'

const ORDER: readonly string[] = TLP_ORDER

/** The most restricted of some TLP colours, as results name them. */
export const strictestOf = (colours: readonly string[]): string =>
  ORDER[Math.max(0, ...colours.map((colour) => ORDER.indexOf(colour)))] ?? 'NONE'

/** Whether a colour is more restricted than another one. */
export const isAbove = (colour: string, ceiling: string): boolean => ORDER.indexOf(colour) > ORDER.indexOf(ceiling)

/** What a result that was made of an earlier one says about itself: it is as restricted, and has its inputs, too. */
export function madeFrom<M extends Made>(earlier: Made, later: M): M {
  const { generated_by: made } = later
  return {
    ...later,
    tlp_color: strictestOf([earlier.tlp_color, later.tlp_color]),
    generated_by: { ...made, inputs: [...new Set([...earlier.generated_by.inputs, ...made.inputs])] },
  }
}
