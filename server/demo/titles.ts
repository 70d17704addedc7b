import type { EntityType } from '../intelligence/entities/entity-data.ts'
import { type Template, templateOf } from './template.ts'

const all = (...texts: readonly string[]): readonly Template[] => texts.map(templateOf)

/** Templates of titles for each type. */
export const titleTemplates: Readonly<Record<EntityType, readonly Template[]>> = {
  'attack-pattern': all(
    '{Technique} against {platform}',
    '{Technique} via {protocol}',
    '{Technique} with a {adjective} {noun}',
  ),
  campaign: all(
    '{campaign}',
    '{campaign}: {actor} against {sector} in {country}',
    '{actor} {technique} wave, {month} {year}',
  ),
  'course-of-action': all(
    'Block {malware} over {protocol}',
    'Mitigate {technique} on {platform}',
    'Rotate every {noun} after {malware}',
  ),
  'custom-entity': all('{organisation}: {adjective} {noun}', 'Exposure of {organisation}'),
  'exploit-target': all('{Adjective} {noun} flaw in {platform}', 'Vulnerable {noun} used by {malware}'),
  identity: all('{organisation}', '{organisation} ({sector})'),
  incident: all(
    '{malware} infection at {organisation}',
    '{organisation}: {technique}, {month} {year}',
    'Data of {organisation} on the leak site of {actor}',
  ),
  indicator: all(
    '{malware} C2 server',
    '{malware}: {kind} from {reporter}',
    '{malware} C2: {value}',
    '{value}',
    '{actor} phishing page for {organisation} customers',
    '{Kind} seen in {campaign}',
    '{malware} dropper, {adjective} {noun}',
    '{Technique} against {sector} in {country}',
    '{actor} {adjective} {noun}',
  ),
  infrastructure: all(
    '{malware} hosting in {country}',
    '{actor} {adjective} {noun} over {protocol}',
    '{campaign} staging server',
  ),
  'intrusion-set': all('{actor}', '{actor} ({malware} operators)'),
  location: all('{Country}', '{Sector} sites in {country}'),
  malware: all('{malware}', '{malware} for {platform}', '{malware} {adjective} variant, {month} {year}'),
  'malware-analysis': all('Sandbox run: {malware} {noun}', '{malware}: static analysis of a {adjective} {noun}'),
  note: all('Note on {actor}', 'To check: {malware} and {otherMalware}', '{campaign}: open questions'),
  report: all(
    '{actor} turns to {sector} organisations in {country}',
    '{malware}: anatomy of a {adjective} {noun}',
    'Weekly summary for {sector}, {date}',
    '{campaign}: {technique} and {otherTechnique}',
    'Flash alert: {malware} at {organisation}',
    '{month} {year}: what changed in {otherTechnique}',
  ),
  'threat-actor': all('{actor}', '{actor}, operators of {malware}', '{actor}: {sector} in {country}'),
  tool: all('{tool}', '{tool} used for {technique}'),
  ttp: all('{Technique}', '{actor}: {technique} on {platform}', '{malware} uses {technique}'),
  'vendor-sighting': all(
    '{malware} seen at {organisation}',
    'Sighting: {kind} in {country}',
    '{Adjective} {noun} seen by {reporter}',
  ),
}
