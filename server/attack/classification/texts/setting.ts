import { z } from 'zod'
import { defineSetting } from '../../../settings/setting.ts'

/** By what imported intelligence is classified, in addition to the techniques that documents name in fields of their own. */
export const attackClassification = defineSetting({
  name: 'attack-classification',
  doc: 'by what imported intelligence is classified with attack nodes',
  schema: z.object({
    texts: z
      .boolean()
      .default(true)
      .describe('Whether ids such as T1566.001 in titles and descriptions become classifications.'),
    detection_rules: z
      .boolean()
      .default(true)
      .describe('Whether techniques and tactics in Sigma, YARA and Snort rules become classifications.'),
  }),
})
