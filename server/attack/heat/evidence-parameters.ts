import { ApiError, badRequest, notFound } from '../../engine/errors.ts'
import type { ListPlan } from '../../engine/list-plan.ts'
import { planList } from '../../engine/query.ts'
import { parseId } from '../../engine/reference.ts'
import type { Incoming } from '../../engine/route.ts'
import { isStorable } from '../../engine/storable.ts'
import { listParameters, type Parameter } from '../../http/openapi/parameters.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { type HeatPlan, heatParameters, readHeat } from './heat-parameters.ts'

/** A request for the entities that count for a node. */
export interface EvidencePlan {
  /** Live, dead or unknown. */
  readonly node: string
  readonly heat: HeatPlan
  readonly list: ListPlan
}

const MAX_ID_LENGTH = 500

/** Parses the parameters of a heat and those of a list of entities, and reports all errors at once. */
export function readEvidence({ params, query }: Incoming): EvidencePlan {
  const node = nodeIn(params.id ?? '')
  const faults = new Set<string>()
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      for (const detail of error.details) faults.add(detail)
      return undefined
    }
  }
  const heat = attempt(() => readHeat(query))
  const list = attempt(() => planList(entities, query))
  if (!heat || !list) throw badRequest([...faults])
  return { node, heat: { ...heat, list }, list }
}

/** Entities may have ids that no node has or had. */
function nodeIn(text: string): string {
  const id = parseId('text', text)
  if (id !== undefined) return String(id)
  if (text.length > MAX_ID_LENGTH || !isStorable(text)) throw notFound(text.slice(0, MAX_ID_LENGTH))
  return text
}

/** What has no meaning for a single node is accepted, so that a client can send the query of its heat. */
const IGNORED = new Set(['matrix', 'by', 'half_life'])

const own = listParameters(entities)
const isOwn = ({ name }: Parameter): boolean => own.some((other) => other.name === name)

/** The parameters of the entities behind a number of a heat. */
export const evidenceParameters: readonly Parameter[] = [
  ...heatParameters
    .filter((parameter) => !isOwn(parameter) && !IGNORED.has(parameter.name))
    .map((parameter) =>
      parameter.name === 'aggregate'
        ? { ...parameter, description: 'Unless `none`, also the entities of the live sub-techniques of the node.' }
        : parameter,
    ),
  ...own,
]
