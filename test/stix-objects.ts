import assert from 'node:assert/strict'
import type { Finding, FoundEntity, FoundRelationship } from '../server/formats/finding.ts'
import { findingsOf } from './stix-round-trip.ts'

type Fields = Record<string, unknown>

/** Parts of ids. */
export const UUID = '4f0d2b1e-0f4b-4c39-9d4b-0c5a5f6b8a11'
export const OTHER = '5e814485-012d-423d-b769-026bfed0f451'

/** The creation time of objects. */
export const TIME = '2024-01-29T07:42:07.059Z'

/** Markings that STIX defines: TLP 1 AMBER and TLP 2 AMBER+STRICT. */
export const AMBER = 'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82'
export const STRICT = 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003'

/** An object of a type with the properties that every object has. */
export const object = (type: string, fields: Fields = {}): Fields => ({
  type,
  spec_version: '2.1',
  id: `${type}--${UUID}`,
  created: TIME,
  modified: TIME,
  ...fields,
})

/** A document with these objects. */
export const bundle = (...objects: unknown[]): string =>
  JSON.stringify({ type: 'bundle', id: `bundle--${UUID}`, objects })

/** The findings in a document with these objects. */
export const read = (...objects: unknown[]): Promise<Finding[]> => findingsOf(bundle(...objects))

/** The entities among findings. */
export const entitiesIn = (findings: readonly Finding[]): FoundEntity[] =>
  findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity] : []))

/** The first entity of a document with these objects. */
export const entityOf = async (...objects: unknown[]): Promise<FoundEntity> =>
  entitiesIn(await read(...objects))[0] ?? assert.fail('there is no entity')

/** The relationships among findings. */
export const relationshipsIn = (findings: readonly Finding[]): FoundRelationship[] =>
  findings.flatMap((finding) => (finding.kind === 'relationship' ? [finding.relationship] : []))

/** The reported losses of findings, with their places. */
export const lossesIn = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ at, losses = [] }) => losses.map((loss) => `${at}: ${loss}`))
