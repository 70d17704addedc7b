import type { ObservableDefinition } from '../definition.ts'
import { freeText } from '../free-text.ts'

export const containerClusterName = {
  type: 'container-cluster-name',
  ...freeText('the name of a container cluster', 'example-cluster'),
} as const satisfies ObservableDefinition
