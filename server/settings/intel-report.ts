import { z } from 'zod'
import { string } from '../engine/field.ts'
import { defineSetting } from './setting.ts'
import { webAddress } from './values.ts'

/** The author details shown in reports. */
export const intelReport = defineSetting({
  name: 'intel-report',
  doc: 'the author details shown in reports',
  schema: z.object({
    contact: string(0, 10_000).default(''),
    terms: string(0, 100_000).default(''),
    logo_url: webAddress().nullable().default(null),
  }),
})
