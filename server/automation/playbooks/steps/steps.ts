import type { StepKind } from '../step.ts'
import { addTo } from './add-to.ts'
import { classify } from './classify.ts'
import { comment } from './comment.ts'
import { condition } from './condition.ts'
import { createEntity } from './create-entity.ts'
import { detonate } from './detonate.ts'
import { enrich } from './enrich.ts'
import { exportStep } from './export.ts'
import { extract } from './extract.ts'
import { mail } from './mail.ts'
import { notify } from './notify.ts'
import { rate } from './rate.ts'
import { removeFrom } from './remove-from.ts'
import { set } from './set.ts'
import { stop } from './stop.ts'
import { tag } from './tag.ts'
import { ticket } from './ticket.ts'
import { webhook } from './webhook.ts'

/** All kinds of steps, in the order in which editors offer them. */
export const stepKinds = [
  condition,
  enrich,
  detonate,
  extract,
  tag,
  classify,
  set,
  rate,
  addTo,
  removeFrom,
  createEntity,
  ticket,
  comment,
  notify,
  mail,
  webhook,
  exportStep,
  stop,
] as unknown as readonly StepKind[]
