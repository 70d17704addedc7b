/** The sandboxes that every installation has an adapter for. */
export const ADAPTERS = [
  { name: 'cape', title: 'CAPEv2', description: 'A sandbox on a server of your own.' },
  { name: 'triage', title: 'Hatching Triage', description: 'A sandbox in the cloud, public or private.' },
  { name: 'joe', title: 'Joe Sandbox', description: 'A sandbox in the cloud or on a server of your own.' },
  { name: 'hybrid_analysis', title: 'Hybrid Analysis', description: 'The public sandbox of CrowdStrike.' },
] as const

/** The title of an adapter. */
export const adapterTitle = (name: string): string => ADAPTERS.find((each) => each.name === name)?.title ?? name
