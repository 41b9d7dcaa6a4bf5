package io.github.liquidscheduler.json;

import static java.util.stream.Collectors.toCollection;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The names of the kinds of a sealed type: of all there are, and of those that values have. */
final class DocumentKinds {

  private DocumentKinds() {}

  static Set<String> of(Class<?> sealed) {
    return names(leaves(sealed));
  }

  static Set<String> of(Stream<?> values) {
    return names(values.map(Object::getClass));
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(DocumentKinds::leaves)
        : Stream.of(type);
  }

  private static Set<String> names(Stream<? extends Class<?>> kinds) {
    return kinds.map(Class::getSimpleName).collect(toCollection(TreeSet::new));
  }
}
