import { z } from 'zod'
import { affectedAsset } from '../records/affected-asset.ts'
import { ciqIdentity } from '../records/ciq-identity.ts'
import { informationSource } from '../records/information-source.ts'
import { intendedEffect } from '../records/statement.ts'
import { term } from '../records/vocabulary.ts'
import { dataOf } from './shared-fields.ts'

/** Something that happened to an organisation. */
export const incident = dataOf('incident', {
  affected_assets: z.array(affectedAsset),
  categories: z.array(term),
  contacts: z.array(informationSource),
  coordinators: z.array(informationSource),
  discovery_methods: z.array(term),
  impact_assessment: z.looseObject({}),
  intended_effects: z.array(intendedEffect),
  reporter: informationSource,
  responders: z.array(informationSource),
  security_compromise: term,
  status: term,
  time: z.looseObject({}),
  victims: z.array(ciqIdentity),
})
