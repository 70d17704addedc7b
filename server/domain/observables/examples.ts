import type { Examples } from './examples/form.ts'
import { freeTextExamples } from './examples/free-text.ts'
import { machineExamples } from './examples/machine.ts'
import { moneyAndPlaceExamples } from './examples/money-and-place.ts'
import { networkExamples } from './examples/network.ts'
import { webExamples } from './examples/web.ts'
import type { ObservableType } from './types.ts'

/** Good and bad values of every type, for tests; whoever adds a type adds some. */
export const EXAMPLES: Readonly<Record<ObservableType, Examples>> = {
  ...freeTextExamples,
  ...machineExamples,
  ...moneyAndPlaceExamples,
  ...networkExamples,
  ...webExamples,
}
