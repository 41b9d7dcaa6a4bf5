# Takes the text and the menu out of a page that Maven has made, and puts them into page.html:
#   awk -v shell=page.html -f page.awk queues.html
# Headings get the anchors that links in docs/ name, and those below the title are listed beside the text.

function anchor(heading) {
  gsub(/<[^>]*>|&[a-z]+;/, "", heading)
  gsub(/[^A-Za-z0-9 _-]/, "", heading)
  gsub(/ /, "-", heading)
  return tolower(heading)
}

/<title>/ { title = $0; gsub(/^.*<title>|<\/title>.*$/, "", title) }
/id="projectVersion"/ { version = $0; gsub(/<[^>]*>|Version: |^ +/, "", version) }
/<ul class="nav nav-list">/ { inMenu = 1; opened = 0; next }
inMenu && /<\/ul>/ { inMenu = 0; menu = menu "</ul>\n"; next }
inMenu && /class="nav-header"/ {
  gsub(/<[^>]*>|^ +/, "")
  menu = menu (opened++ ? "</ul>\n" : "") "<h2>" $0 "</h2>\n<ul>\n"
  next
}
inMenu { sub(/<li class="active"><a>/, "<li class=\"active\"><a aria-current=\"page\">"); menu = menu $0 "\n"; next }
/<main / { inText = 1; next }
/<\/main>/ { sub(/<\/main>.*/, ""); text = text $0 "\n"; inText = 0 }
!inText { next }

{
  gsub(/<\/?section>|<a id="[^"]*"><\/a>/, "")
  gsub(/ class="(prettyprint|table table-striped|a|b|externalLink|nohighlight nocode)"/, "")
  gsub(/\.md<\/a>/, "</a>")
  gsub(/\\\|/, "|")
  while (match($0, /href="[^"]*#a[0-9]/)) { # Maven puts a letter before digits
    $0 = substr($0, 1, RSTART + RLENGTH - 3) substr($0, RSTART + RLENGTH - 1)
  }
}
/<table/ { sub(/<table/, "<div class=\"table\"><table") }
/<\/table>/ { sub(/<\/table>/, "</table></div>") }
match($0, /<h[1-4]>.*<\/h[1-4]>/) {
  level = substr($0, RSTART + 2, 1)
  heading = substr($0, RSTART + 4, RLENGTH - 9)
  name = anchor(heading)
  mark = level == 1 ? "" : "<a class=\"mark\" href=\"#" name "\" aria-hidden=\"true\" tabindex=\"-1\">#</a>"
  $0 = substr($0, 1, RSTART - 1) "<h" level " id=\"" name "\">" heading mark "</h" level ">" substr($0, RSTART + RLENGTH)
  if (level == 2 || level == 3) {
    gsub(/<[^>]*>/, "", heading)
    contents = contents "<li class=\"level" level "\"><a href=\"#" name "\">" heading "</a></li>\n"
    count++
  }
}
{ text = text $0 "\n" }

END {
  if (count > 2) {
    contents = "<nav class=\"contents\" aria-label=\"On this page\">\n<h2>On this page</h2>\n<ul>\n" contents "</ul>\n</nav>"
  } else {
    contents = ""
  }
  while ((getline line < shell) > 0) {
    if (line == "@menu@") { printf "%s", menu }
    else if (line == "@content@") { printf "%s", text }
    else if (line == "@contents@") { print contents }
    else {
      sub(/@title@/, title, line)
      sub(/@version@/, version, line)
      print line
    }
  }
}
