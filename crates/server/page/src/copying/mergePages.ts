// Merges several pages of explanations into one for printing, in which each position starts a new
// sheet.

/** The style for several positions, in addition to that of each page. */
const SHEETS = `
nav { margin-bottom: 3rem; }
nav li { margin: 0.2rem 0; }
article + article { margin-top: 4rem; padding-top: 2rem; border-top: 3px double var(--line); }
h1, h2 { break-after: avoid; }
@media print {
  nav { display: none; }
  article + article { break-before: page; margin-top: 0; padding-top: 0; border-top: none; }
}
`;

/**
 * Returns the text between two tags. Texts of the page are escaped, so the tags occur only as
 * markup.
 */
const between = (page: string, open: string, close: string): string => page.slice(page.indexOf(open) + open.length, page.lastIndexOf(close));

/**
 * Merges pages of the engine; a single page is returned unchanged. `title` must not contain markup.
 */
export function mergePages(pages: string[], title: string): string {
  const [first = "", ...others] = pages;
  if (others.length === 0) return first;
  const head = between(first, "<head>", "</head>").replace(/<title>[^<]*<\/title>/, `<title>${title}</title>`);
  const bodies = pages.map((page) => between(page, "<body>", "</body>"));
  const names = bodies.map((body, index) => /<h1>(.*?)<\/h1>/s.exec(body)?.[1] ?? String(index + 1));
  return [
    `${first.slice(0, first.indexOf("<head>"))}<head>${head}<style>${SHEETS}</style>\n</head>\n<body>`,
    `<nav><h1>${title}</h1>\n<ol>`,
    ...names.map((name, index) => `<li><a href="#position-${index + 1}">${name}</a></li>`),
    "</ol></nav>",
    ...bodies.map((body, index) => `<article id="position-${index + 1}">${body}</article>`),
    "</body>\n</html>\n",
  ].join("\n");
}
