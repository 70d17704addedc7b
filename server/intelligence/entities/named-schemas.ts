import type { z } from 'zod'
import { entityData } from './entity-data.ts'
import { affectedAsset } from './records/affected-asset.ts'
import { ciqIdentity } from './records/ciq-identity.ts'
import { confidenceRecord } from './records/confidence.ts'
import { cvssScore } from './records/cvss-score.ts'
import { dataAttachment } from './records/data-attachment.ts'
import { configuration, vulnerability, weakness } from './records/exploitable.ts'
import { externalReference } from './records/external-reference.ts'
import { extract } from './records/extract.ts'
import { hash } from './records/hash.ts'
import { informationSource } from './records/information-source.ts'
import { killChainPhase } from './records/kill-chain-phase.ts'
import { markingSpecification } from './records/marking-specification.ts'
import { impact } from './records/statement.ts'
import { timeSpan } from './records/time.ts'
import { toolInformation } from './records/tool-information.ts'

const pascal = (name: string): string => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The name of the schema of a type's data in the OpenAPI document. */
export const dataName = (type: string): string => `EntityData${pascal(type)}`

/** The schemas inside entities that have a name in the OpenAPI document, because many types share them. */
export const namedSchemas: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(entityData.options.map((option) => [dataName(typeIn(option)), option as unknown as z.ZodType])),
  AffectedAsset: affectedAsset,
  CiqIdentity: ciqIdentity,
  ConfidenceRecord: confidenceRecord,
  Configuration: configuration,
  CvssScore: cvssScore,
  DataAttachment: dataAttachment,
  ExternalReference: externalReference,
  Extract: extract,
  HashRecord: hash,
  InformationSource: informationSource,
  KillChainPhase: killChainPhase,
  MarkingSpecification: markingSpecification,
  StatementRecord: impact,
  TimeSpan: timeSpan,
  ToolInformation: toolInformation,
  Vulnerability: vulnerability,
  Weakness: weakness,
}

function typeIn(option: (typeof entityData.options)[number]): string {
  const { type } = option.shape
  return 'value' in type ? String(type.value) : 'vendor-sighting'
}
