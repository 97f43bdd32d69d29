/** The shapes of the kinds, drawn around (0, 0) with a radius of about one. */

const SVG = "http://www.w3.org/2000/svg";

/** A new SVG element with its attributes. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

const CIRCLE = "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0Z";
const PATHS: Record<string, string[]> = {
  circle: [CIRCLE],
  "ringed circle": [CIRCLE],
  diamond: ["M0-1.25L1.1 0L0 1.25L-1.1 0Z"],
  hexagon: [polygon(6, 1.12, 0)],
  triangle: ["M0-1.2L1.12.85H-1.12Z"],
  "hollow diamond": ["M0-1.05L.92 0L0 1.05L-.92 0Z"],
  star: [star()],
};

/** The shape with this name, as a group; a circle where there is no such shape. */
export function shapeOf(name: string): SVGGElement {
  const paths = PATHS[name] ?? PATHS["circle"]!;
  const made = svg("g", { class: "kept-shape" }, ...paths.map((d) => svg("path", { d, "vector-effect": "non-scaling-stroke" })));
  made.dataset["shape"] = name;
  if (name === "ringed circle") made.append(svg("circle", { r: 1.55, class: "kept-ring", "vector-effect": "non-scaling-stroke" }));
  return made;
}

/** A small picture of a shape, for a legend or a list. */
export function icon(shape: string, group: string): SVGSVGElement {
  const made = svg("svg", { viewBox: "-2 -2 4 4", class: "kept-icon", "aria-hidden": "true" }, shapeOf(shape));
  made.dataset["group"] = group;
  return made;
}

function polygon(corners: number, radius: number, turn: number): string {
  const points = Array.from({ length: corners }, (_, corner) => {
    const angle = turn + (2 * Math.PI * corner) / corners;
    return `${(radius * Math.cos(angle)).toFixed(3)} ${(radius * Math.sin(angle)).toFixed(3)}`;
  });
  return `M${points.join("L")}Z`;
}

function star(): string {
  const points = Array.from({ length: 10 }, (_, corner) => {
    const [radius, angle] = [corner % 2 === 0 ? 1.45 : 0.6, -Math.PI / 2 + (Math.PI * corner) / 5];
    return `${(radius * Math.cos(angle)).toFixed(3)} ${(radius * Math.sin(angle)).toFixed(3)}`;
  });
  return `M${points.join("L")}Z`;
}
