import { Badge, Tooltip } from '@mantine/core'
import { tlpName } from '../domain/tlp.ts'

/** The text colours that TLP 2.0 defines, on black. */
const TLP_COLOURS: Readonly<Record<string, string>> = {
  RED: '#ff2b2b',
  AMBER: '#ffc000',
  AMBER_STRICT: '#ffc000',
  GREEN: '#33ff00',
  WHITE: '#ffffff',
  CLEAR: '#ffffff',
}

/** A TLP marking, as text and colour. */
export function TlpBadge({ tlp }: { readonly tlp: string | null | undefined }) {
  if (!tlp || tlp === 'NONE') return null
  return (
    <Badge className="tlp" radius="xs" flex="none" autoContrast={false} c={TLP_COLOURS[tlp] ?? '#fff'}>
      TLP:{tlpName(tlp)}
    </Badge>
  )
}

/** Marks an object that its publisher has withdrawn. */
export function WithdrawnBadge() {
  return (
    <Tooltip label="Withdrawn by the source that published it">
      <Badge variant="light" radius="xs" color="red" flex="none">
        Withdrawn
      </Badge>
    </Tooltip>
  )
}

interface UnifiedBadgeProps {
  /** The number of its contributors, if it is known. */
  readonly count?: number | undefined
}

/** Marks an entity that unifies others. */
export function UnifiedBadge({ count }: UnifiedBadgeProps) {
  return (
    <Tooltip label="Composed from several entities that describe the same thing">
      <Badge variant="light" radius="xs" color="violet" flex="none">
        Unified{count === undefined ? '' : ` · ${count.toLocaleString('en')}`}
      </Badge>
    </Tooltip>
  )
}

/** Marks an entity that a unified entity stands for. */
export function ContributorBadge() {
  return (
    <Tooltip label="Contributes to a unified entity">
      <Badge variant="default" radius="xs" fw={500} flex="none">
        Contributor
      </Badge>
    </Tooltip>
  )
}

const CONFIDENCE: Readonly<Record<string, string>> = {
  unknown: 'gray',
  none: 'gray',
  low: 'orange',
  medium: 'blue',
  high: 'teal',
}

/** A confidence level. */
export function ConfidenceBadge({ confidence }: { readonly confidence: string | null | undefined }) {
  if (!confidence) return null
  const level = confidence.toLowerCase()
  return (
    <Badge variant="light" radius="xs" color={CONFIDENCE[level] ?? 'gray'}>
      Confidence: {level}
    </Badge>
  )
}

const MALICIOUSNESS: Readonly<Record<string, { readonly label: string; readonly color: string }>> = {
  unknown: { label: 'Unknown', color: 'gray' },
  safe: { label: 'Safe', color: 'green' },
  low: { label: 'Malicious: low', color: 'yellow' },
  medium: { label: 'Malicious: medium', color: 'orange' },
  high: { label: 'Malicious: high', color: 'red' },
}

/** The maliciousness of an observable. */
export function MaliciousnessBadge({ maliciousness }: { readonly maliciousness: string | null | undefined }) {
  const { label, color } = MALICIOUSNESS[maliciousness ?? 'unknown'] ?? { label: maliciousness ?? '', color: 'gray' }
  return (
    <Badge variant="light" radius="xs" color={color} miw="max-content">
      {label}
    </Badge>
  )
}

const ADMIRALTY: Readonly<Record<string, string>> = {
  A: 'completely reliable',
  B: 'usually reliable',
  C: 'fairly reliable',
  D: 'not usually reliable',
  E: 'unreliable',
  F: 'reliability cannot be judged',
}

/** The reliability of a source: its Admiralty code and what the code means. */
export function ReliabilityBadge({ reliability }: { readonly reliability: string | null | undefined }) {
  if (!reliability) return null
  const meaning = ADMIRALTY[reliability] ?? 'unknown'
  return (
    <Tooltip label={`Admiralty code ${reliability}: the source is ${meaning}`}>
      <Badge variant="default" radius="xs">
        {reliability}: {meaning}
      </Badge>
    </Tooltip>
  )
}
