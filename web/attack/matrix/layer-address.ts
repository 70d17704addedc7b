import { type Parameters, searchOf } from '../../api/lists.ts'
import { ANALYSES } from '../analyses/analysis.ts'

/**
 * The address of a layer of what a matrix shows: `parameters` are those of its heat. That of an analysis has its name and annotations, and
 * its own matrix and scope.
 */
export function layerAddress(kind: string, name: string, parameters: Parameters, analysis: number | undefined): string {
  if (analysis === undefined) return `/api/v2/attacks/layer${searchOf({ ...parameters, kind, name })}`
  const { matrix: _, dataset: __, entities: ___, ...narrowing } = parameters
  return `/api/v2/${ANALYSES}/${analysis}/layer${searchOf({ ...narrowing, kind })}`
}
