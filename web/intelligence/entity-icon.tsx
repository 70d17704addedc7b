import { entityTypeName } from '../domain/entity-types.ts'

interface EntityIconProps {
  readonly type: string
  readonly size?: number
  /** Whether the type is also shown as text, so that screen readers do not announce it twice. */
  readonly isDecoration?: boolean
}

/** The icon of each entity type, as one stroke on a 24×24 canvas. */
export const ENTITY_ICONS: Readonly<Record<string, string>> = {
  // Plan of attack: a cross, a ring, and the path between them.
  'attack-pattern':
    'M4 4l5 5M9 4l-5 5M17.5 14.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM6.5 13v2.5a2 2 0 0 0 2 2h3M17.5 11V4.5M14.5 7.3l3-3 3 3',
  // Flag.
  campaign: 'M5 21.5v-18M5 4h14l-3.5 4.5L19 13H5',
  // Shield with a check mark.
  'course-of-action': 'M12 2.8l7.5 2.7v5.7c0 4.6-3 8-7.5 10-4.5-2-7.5-5.4-7.5-10V5.5zM8.5 11.8l2.5 2.5 4.5-4.8',
  // Cube.
  'custom-entity': 'M12 2.8l8 4.6v9.2l-8 4.6-8-4.6V7.4zM4 7.4l8 4.6 8-4.6M12 12v9.2',
  // Open padlock.
  'exploit-target': 'M5 11h14v9.5H5zM8 11V7.5a4 4 0 0 1 7.6-1.7M12 14.5v2.5',
  // Person.
  identity: 'M12 12a4.2 4.2 0 1 0 0-8.4 4.2 4.2 0 0 0 0 8.4zM4 20.5c.8-3.9 3.8-5.8 8-5.8s7.2 1.9 8 5.8',
  // Warning sign.
  incident: 'M12 3.5L2.5 20h19zM12 9.5v5M12 17.3v.01',
  // Reticle.
  indicator: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 2v6M12 16v6M2 12h6M16 12h6',
  // Two servers.
  infrastructure: 'M3.5 4h17v6.5h-17zM3.5 13.5h17V20h-17zM7 7.25v.01M7 16.75v.01M12 7.25h5M12 16.75h5',
  // Layers.
  'intrusion-set': 'M12 2.8l9 4.7-9 4.7-9-4.7zM3 12l9 4.7 9-4.7M3 16.5l9 4.7 9-4.7',
  // Map pin.
  location:
    'M12 21.5c-4.7-4.6-7.2-8.2-7.2-11.5a7.2 7.2 0 0 1 14.4 0c0 3.3-2.5 6.9-7.2 11.5zM12 12.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2z',
  // Beetle.
  malware:
    'M7.5 10h9v5.5a4.5 4.5 0 0 1-9 0zM9 10V8a3 3 0 0 1 6 0v2M12 13v7M7.5 13.5h-4M20.5 13.5h-4M8 17.5l-3.5 3M16 17.5l3.5 3M7.8 10L4.5 6.5M16.2 10l3.3-3.5',
  // Flask.
  'malware-analysis': 'M8.5 3h7M10 3v6.5L4.6 18.3A1.8 1.8 0 0 0 6.1 21h11.8a1.8 1.8 0 0 0 1.5-2.7L14 9.5V3M7.5 14.5h9',
  // Sheet of paper.
  note: 'M4.5 4h15v10.5L14 20H4.5zM19.5 14.5H14V20M8 8.5h8M8 12h4',
  // Document.
  report: 'M5.5 3h8.8l4.2 4.2V21h-13zM14 3v4.5h4.5M9 12h6M9 16h6',
  // Hooded figure.
  'threat-actor':
    'M12 2.8c-5 0-7.3 5-8 17.7h16c-.7-12.7-3-17.7-8-17.7zM12 8c-2.7 0-4.3 1.9-4.3 4.3S9.7 17 12 17s4.3-2.3 4.3-4.7S14.7 8 12 8zM10.2 12v.01M13.8 12v.01',
  // Wrench.
  tool: 'M20.4 7.3a4.8 4.8 0 0 1-6.3 5.6l-6.2 6.6a2.3 2.3 0 0 1-3.3-3.3l6.6-6.2a4.8 4.8 0 0 1 5.6-6.3l-2.9 2.9.7 2.9 2.9.7z',
  // Path with two ends.
  ttp: 'M6 8.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM18 20.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM8.3 6h7a3 3 0 0 1 0 6H8.7a3 3 0 0 0 0 6h7',
  // Eye.
  'vendor-sighting': 'M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
}

/** Custom entity types: a diamond. */
const OTHER = 'M12 3l9 9-9 9-9-9z'

/** The icon of an entity type. */
export function EntityIcon({ type, size = 18, isDecoration = false }: EntityIconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
      role="img"
      aria-label={entityTypeName(type)}
      aria-hidden={isDecoration}
    >
      <path d={ENTITY_ICONS[type] ?? OTHER} />
    </svg>
  )
}
