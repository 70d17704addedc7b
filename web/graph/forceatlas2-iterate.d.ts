declare module 'graphology-layout-forceatlas2/iterate.js' {
  /** One round of the layout, on ten numbers per node and three per edge. */
  export default function iterate(settings: object, nodes: Float32Array, edges: Float32Array): void
}
