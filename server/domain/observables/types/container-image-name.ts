import type { ObservableDefinition } from '../definition.ts'
import { word } from '../free-text.ts'

export const containerImageName = {
  type: 'container-image-name',
  ...word('the name of a container image', 'registry.example.com/team/Image:1.0@sha256:00', 1_024),
} as const satisfies ObservableDefinition
