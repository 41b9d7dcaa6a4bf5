package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The domains of a cluster file, which are checked here, where the line is known. */
final class DomainGroups {

  private final List<String> levels;
  private final Map<String, Domain> domains = new LinkedHashMap<>();

  DomainGroups(List<String> levels) {
    this.levels = levels;
  }

  /** Reads one entry: a domain, or a group of them. */
  void read(JsonValue in) {
    in.object(this::group).forEach(domain -> add(in, domain));
  }

  List<Domain> domains() {
    return List.copyOf(domains.values());
  }

  boolean contains(String id) {
    return domains.containsKey(id);
  }

  private List<Domain> group(JsonFields in) {
    String level = in.required("level", this::level);
    IdGroup group = IdGroup.from(in, "parent");
    Link uplink = in.optional("uplink", QuantityJson.LINK.reader()).orElse(Link.UNLIMITED);
    Optional<Bandwidth> fabric = in.optional("fabric", QuantityJson.BANDWIDTH.reader());
    if (domains.size() + group.count() > IdGroup.MAX_COUNT) {
      throw in.refuse(
          "a cluster file may have up to %d domains, but had at least %d"
              .formatted(IdGroup.MAX_COUNT, domains.size() + group.count()));
    }
    return IntStream.range(0, group.count())
        .mapToObj(
            i ->
                new Domain(
                    level,
                    DomainId.of(group.id().apply(i)),
                    group.owner().apply(i).map(DomainId::of),
                    uplink,
                    fabric))
        .toList();
  }

  private String level(JsonValue in) {
    if (!levels.contains(in.text())) {
      throw in.expected("one of the levels " + levels);
    }
    return in.text();
  }

  private void add(JsonValue in, Domain domain) {
    domain.parent().ifPresent(parent -> requireWider(in, domain, parent.value()));
    if (domains.putIfAbsent(domain.id().value(), domain) != null) {
      throw in.refuse("ids of domains must be distinct, but '" + domain.id() + "' comes twice");
    }
  }

  private void requireWider(JsonValue in, Domain domain, String parent) {
    Domain wider = domains.get(parent);
    if (wider == null) {
      throw in.refuse(
          "a domain must come after the one it hangs on, but '%s' hangs on '%s'"
              .formatted(domain.id(), parent));
    }
    if (levels.indexOf(wider.level()) >= levels.indexOf(domain.level())) {
      throw in.refuse(
          "a domain must hang on one of a wider level, but %s hangs on %s"
              .formatted(domain, wider));
    }
  }
}
