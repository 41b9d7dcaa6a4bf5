package io.github.liquidscheduler.architecture;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;

/** Shows Guava in a field, a result and a parameter; hides it in a package-private method. */
public final class ShowsGuava {
  public final List<Optional<ImmutableList<String>>> field = List.of();

  public ImmutableList<String> result() {
    return hidden();
  }

  public int parameter(ImmutableList<String> names) {
    return names.size();
  }

  ImmutableList<String> hidden() {
    return ImmutableList.of();
  }
}
