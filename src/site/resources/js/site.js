// Colours the code of a page. Without this script the page is the same in one colour.
(() => {
  const words = {
    java: 'boolean|case|catch|class|default|else|extends|false|final|for|if|implements|import|instanceof|int|interface|long|new|null|private|public|record|return|static|switch|this|throw|throws|true|try|void|while',
    python: 'and|class|def|else|for|if|import|in|not|or|return|while',
    json: 'true|false|null',
  };
  for (const code of document.querySelectorAll('pre code')) {
    const language = (code.className.match(/language-(\w+)/) || [])[1] || '';
    if (!['java', 'python', 'json', 'jsonl', 'xml', 'sh'].includes(language)) continue;
    const text = code.textContent;
    const parts = [];
    if (language === 'xml') parts.push('(?<comment><!--[^]*?-->)', '(?<word><\\/?[\\w.-]+|\\/?>)');
    else if (language === 'sh') parts.push('(?<comment>(?:^|(?<=\\s))#.*)', '(?<word>(?<=\\s)--?[a-z][\\w-]*)');
    else {
      parts.push(language === 'python' ? '(?<comment>#.*)' : '(?<comment>\\/\\/.*|\\/\\*[^]*?\\*\\/)');
      parts.push('(?<key>"[^"\\n]*"(?=\\s*:)|@[A-Z]\\w+)');
      parts.push('(?<word>\\b(?:' + (words[language] || words.json) + ')\\b)');
    }
    parts.push('(?<string>"(?:[^"\\\\\\n]|\\\\.)*"|\'[^\'\\n]*\')');
    if (language === 'java') parts.push('(?<type>\\b[A-Z]\\w*\\b)');
    if (!['sh', 'xml'].includes(language)) parts.push('(?<number>\\b\\d[\\d_]*(?:\\.\\d+)?\\b)');
    const coloured = document.createDocumentFragment();
    let end = 0;
    for (const match of text.matchAll(new RegExp(parts.join('|'), 'gm'))) {
      const [kind] = Object.entries(match.groups).find(([, value]) => value !== undefined);
      const span = document.createElement('span');
      span.className = kind;
      span.textContent = match[0];
      coloured.append(text.slice(end, match.index), span);
      end = match.index + match[0].length;
    }
    coloured.append(text.slice(end));
    code.replaceChildren(coloured);
  }
})();
