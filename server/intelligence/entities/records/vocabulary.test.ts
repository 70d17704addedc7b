import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import { asset, faults, md5, sure } from '../../../../test/set-up/records.ts'
import { affectedAsset } from './affected-asset.ts'
import { attackerInfrastructureType } from './attacker-infrastructure-type.ts'
import { attackerToolType } from './attacker-tool-type.ts'
import { applicabilityConfidence, confidence, confidenceRecord } from './confidence.ts'
import { extract } from './extract.ts'
import { hash } from './hash.ts'
import { attackMotivation, attackResourceLevel } from './motivation.ts'
import { cost, efficacy, impact } from './statement.ts'

const enumerations: [z.ZodType, field: string, values: string, rest?: object][] = [
  [
    affectedAsset,
    'asset_type',
    `ATM, Access reader, Administrator, Auditor, Auth token, Backup, Broadband, Call center, Camera, Cashier,
    Customer, DCS, DHCP, DNS, Database, Desktop, Developer, Directory, Disk drive, Disk media, Documents,
    End-user, Executive, File, Finance, Firewall, Flash drive, Former employee, Gas terminal, Guard, HSM,
    Helpdesk, Human resources, IDS, Kiosk, LAN, Laptop, Log, Mail, Mainframe, Maintenance, Manager, Media,
    Mobile phone, Network, PBX, PED pad, PLC, POS controller, POS terminal, Partner, Payment card,
    Payment switch, Peripheral, Person, Print, Private WAN, Proxy, Public WAN, RTU, Remote access,
    Router or switch, SAN, SCADA, Server, Smart card, Tablet, Tapes, Telephone, Unknown, User Device,
    VoIP adapter, VoIP phone, WLAN, Web application`,
    asset,
  ],
  [affectedAsset, 'location_class', 'Co-Located, Externally-Located, Internally-Located, Mobile, Unknown', asset],
  [affectedAsset, 'management_class', 'Co-Management, Externally-Management, Internally-Managed, Unknown', asset],
  [affectedAsset, 'ownership_class', 'Customer-Owned, Employee-Owned, Internally-Owned, Partner-Owned, Unknown', asset],
  [confidenceRecord, 'value', 'None, Low, Medium, High, Unknown', sure],
  [confidenceRecord, 'timestamp_precision', 'year, month, day, hour, minute, second', sure],
  [applicabilityConfidence, 'value', 'None, Low, Medium, High, Unknown'],
  [impact, 'value', 'None, Low, Medium, High, Unknown'],
  [cost, 'value', 'None, Low, Medium, High, Unknown'],
  [efficacy, 'value', 'None, Low, Medium, High, Unknown'],
  [
    attackMotivation,
    'value',
    `accidental, coercion, dominance, ideology, notoriety, organizational-gain, personal-gain,
    personal-satisfaction, revenge, unpredictable`,
  ],
  [attackResourceLevel, 'value', 'individual, club, contest, team, organization, government'],
  [
    attackerToolType,
    'value',
    `Malware, Penetration Testing, Port Scanner, Traffic Scanner, Vulnerability Scanner, Application Scanner,
    Password Cracking`,
  ],
  [
    attackerInfrastructureType,
    'value',
    `Anonymization, Anonymization - Proxy, Anonymization - TOR Network, Anonymization - VPN, Communications,
    Communications - Blogs, Communications - Forums, Communications - Internet Relay Chat,
    Communications - Micro-Blogs, Communications - Mobile Communications, Communications - Social Networks,
    Communications - User-Generated Content Websites, Domain Registration,
    Domain Registration - Dynamic DNS Services, Domain Registration - Legitimate Domain Registration Services,
    Domain Registration - Malicious Domain Registrars, Domain Registration - Top-Level Domain Registrars,
    Hosting, Hosting - Bulletproof / Rogue Hosting, Hosting - Cloud Hosting, Hosting - Compromised Server,
    Hosting - Fast Flux Botnet Hosting, Hosting - Legitimate Hosting, Electronic Payment Methods`,
  ],
  [hash, 'hash_type', 'MD5, MD6, SHA1, SHA224, SHA256, SHA384, SHA512, SSDEEP', md5],
  [hash, 'apply_condition', 'ALL, ANY, NONE', md5],
  [
    hash,
    'condition',
    `Equals, DoesNotEqual, Contains, DoesNotContain, StartsWith, EndsWith, GreaterThan, GreaterThanOrEqual,
    LessThan, LessThanOrEqual, InclusiveBetween, ExclusiveBetween, FitsPattern, BitwiseAnd, BitwiseOr,
    BitwiseXor`,
    md5,
  ],
  [hash, 'pattern_type', 'Regex, Binary, XPath', md5],
  [extract, 'classification', 'good, bad, unknown', { kind: 'ipv4', value: '192.0.2.1' }],
  [extract, 'confidence', 'low, medium, high', { kind: 'ipv4', value: '192.0.2.1' }],
]

test('every value of a vocabulary is accepted, and others are refused by name', () => {
  for (const [schema, field, list, rest] of enumerations) {
    for (const value of list.split(/,\s+/)) assert.deepEqual(faults(schema, { ...rest, [field]: value }), [], value)
    const [fault, ...more] = faults(schema, { ...rest, [field]: 'foreign' })
    assert.match(fault ?? '', new RegExp(`^${field}: must be one of .*, not 'foreign'$`))
    assert.deepEqual(more, [])
  }
})

test('a value outside a vocabulary is accepted when the record names a vocabulary of its own', () => {
  const standard = '{http://stix.mitre.org/default_vocabularies-1}HighMediumLowVocab-1.0'
  assert.deepEqual(faults(impact, { value: 'Severe', value_vocab: 'https://example.com/levels' }), [])
  assert.deepEqual(faults(hash, { ...md5, hash_type: 'SHA3-256', hash_type_vocab: 'https://example.com/hashes' }), [])
  assert.equal(faults(impact, { value: 'Severe', value_vocab: standard }).length, 1)
  assert.deepEqual(faults(impact, { value: 'High', value_vocab: standard }), [])
})

test('confidence is a word or a record, and errors refer to the form that was sent', () => {
  for (const word of ['unknown', 'none', 'low', 'medium', 'high']) assert.equal(confidence.parse(word), word)
  assert.deepEqual(confidence.parse(sure), sure)
  assert.deepEqual(faults(confidence, 'High'), [
    "must be one of 'unknown', 'none', 'low', 'medium', 'high', not 'High'",
  ])
  assert.deepEqual(faults(confidence, {}), ['type is required and value is required'])
  assert.deepEqual(faults(confidence, { type: 'confidence', value: 'high' }), [
    "value: must be one of 'None', 'Low', 'Medium', 'High', 'Unknown', not 'high'",
  ])
})
