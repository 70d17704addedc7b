import type { SeenSample } from './samples.ts'

/** The permissions that a request needs in addition, depending on where its sample comes from. */
export const READING: Readonly<Record<SeenSample['via'], readonly string[]>> = {
  data: [],
  url: [],
  file: ['read files'],
  attachment: ['read entities'],
  observable: ['read extracts'],
}
