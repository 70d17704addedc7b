/** Icons of the interface, drawn like those of entities: one stroke on a 24×24 canvas. */
const ICONS = {
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21',
  graph:
    'M6 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 11a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8.5 6.9l7 1.2M6.9 8.9l2.3 6.7M16.3 10.5l-4.6 5.6',
  datasets:
    'M12 10c4.4 0 8-1.3 8-3s-3.6-3-8-3-8 1.3-8 3 3.6 3 8 3zM4 7v10c0 1.7 3.6 3 8 3s8-1.3 8-3V7M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  dashboards: 'M4 4h7v9H4zM14 4h6v5h-6zM14 12h6v8h-6zM4 16h7v4H4z',
  workspaces: 'M4 8h16v12H4zM9 8V5h6v3M4 13h16',
  tickets: 'M4 6h16v4a2 2 0 0 0 0 4v4H4v-4a2 2 0 0 0 0-4zM13 6v2.5M13 11v2M13 15.5V18',
  files: 'M6 3h8.5L19 7.5V21H6zM14 3v5h5',
  incoming: 'M12 3v11M7.5 10l4.5 4.5 4.5-4.5M4 17v3.5h16V17',
  outgoing: 'M12 15V4M7.5 8L12 3.5 16.5 8M4 17v3.5h16V17',
  runs: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2',
  admin:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4zM9 14.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2.2 2.2 0 0 0 4 0',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-4 3.5-5.8 7.5-5.8s6.7 1.8 7.5 5.8',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.3M20 4.5v4.8h-4.8',
  expand: 'M4 9.5V4h5.5M20 9.5V4h-5.5M4 14.5V20h5.5M20 14.5V20h-5.5',
  edit: 'M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5',
  trash: 'M4.5 7h15M9 7V4.5h6V7M6.5 7l1 13h9l1-13M10 11v5M14 11v5',
  download: 'M12 4v11M8 11l4 4 4-4M5 20h14',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.5v15l12-7.5z',
  grip: 'M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01',
  corner: 'M20 11v9h-9M20 20l-6-6',
  history: 'M4.5 12a7.5 7.5 0 1 0 2.2-5.3L4 9.3M4 4.5v4.8h4.8M12 8v4.5l3 2',
  keyboard: 'M3 6h18v12H3zM7 10v.01M11 10v.01M15 10v.01M17.5 10v.01M7 14h10',
  theme: 'M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z',
  spark: 'M12 3l2.2 6.8L21 12l-6.8 2.2L12 21l-2.2-6.8L3 12l6.8-2.2z',
  upload: 'M12 15V4M8 8l4-4 4 4M5 20h14',
  automation: 'M13 3L5 13.5h6L10.5 21 19 10h-6.5z',
  rules: 'M4 5h16l-6 7.5V18l-4 2.5v-8z',
  enrichers: 'M12 3v4M12 17v4M3 12h4M17 12h4M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  'enrichment-rules': 'M4 6h9M4 12h6M4 18h9M17.5 8.5l1.2 3 3 1.2-3 1.2-1.2 3-1.2-3-3-1.2 3-1.2z',
  detonators: 'M4 5h16v11H4zM9 20h6M12 16v4M9.5 8l-2 2.5 2 2.5M14.5 8l2 2.5-2 2.5',
  detonations:
    'M10.5 9a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM14.5 10.5l2-2.5M16.5 8c.6-1.4 2-1.4 2.7-.4M19 3.5v1M21.5 6h-1M21 3.6l-.7.7',
  discovery: 'M3 12s3.3-6 9-6 9 6 9 6-3.3 6-9 6-9-6-9-6zM12 9.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z',
  playbooks: 'M4 4h6v5H4zM14 15h6v5h-6zM7 9v4a2 2 0 0 0 2 2h0M10 6.5h5a2 2 0 0 1 2 2V15M4.5 15h5v5h-5z',
  unified: 'M6 4c0 5 6 4 6 9M18 4c0 5-6 4-6 9M12 13v7',
  suggestions: 'M8.5 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z',
  analyses: 'M4 4h16v16H4zM4 9.5h16M9.5 4v16M13 13h3.5v3.5H13z',
  matrix: 'M4 4h4.5v4.5H4zM4 11.5h4.5V16H4zM11.5 4H16v4.5h-4.5zM11.5 11.5H16V16h-4.5zM19 4h1.5v4.5H19zM4 19h4.5v1.5H4z',
  defenses: 'M12 3l7.5 2.8v5.7c0 4.6-3.2 7.9-7.5 9.5-4.3-1.6-7.5-4.9-7.5-9.5V5.8zM8.5 12l2.5 2.5 4.5-4.8',
  gap: 'M5 4v16h15M9 16.5v-5M13 16.5V7M17 16.5v-2.5',
  frameworks: 'M12 3.5l8.5 4.3L12 12.1 3.5 7.8zM3.5 12l8.5 4.3 8.5-4.3M3.5 16.2l8.5 4.3 8.5-4.3',
  warning: 'M12 3.5L2.5 20h19zM12 9.5v5M12 17.3v.01',
} as const

/** The name of an icon. */
export type IconName = keyof typeof ICONS

/** A decorative icon; without text next to it, the element around it needs a label. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
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
      aria-hidden
    >
      <path d={ICONS[name]} />
    </svg>
  )
}
