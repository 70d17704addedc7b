import type { StepKind } from '../step.ts'
import { condition } from './condition.ts'
import { stop } from './stop.ts'
import { tag } from './tag.ts'

/** All kinds of steps. */
export const stepKinds = [condition, tag, stop] as unknown as readonly StepKind[]
