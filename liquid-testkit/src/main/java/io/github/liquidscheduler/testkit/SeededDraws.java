package io.github.liquidscheduler.testkit;

import java.lang.reflect.AnnotatedElement;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Has all properties draw what follows from one text, given as the system property {@code
 * liquid.laws.seed} or the environment variable {@code LIQUID_LAWS_SEED}: runs with the same text
 * meet the same draws, in whatever order they run. Without a text each run has draws of its own. A
 * property with a seed of its own keeps it.
 *
 * <p>Found by jqwik on the class path.
 */
public final class SeededDraws implements AroundPropertyHook {

  /** The name of the system property. */
  public static final String PROPERTY = "liquid.laws.seed";

  /** The name of the environment variable, for where there is no such property. */
  public static final String VARIABLE = "LIQUID_LAWS_SEED";

  /** Makes the hook. */
  public SeededDraws() {}

  @Override
  public boolean appliesTo(Optional<AnnotatedElement> element) {
    return text().isPresent();
  }

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    String name = context.containerClass().getName() + "." + context.targetMethod().getName();
    if (context.attributes().seed().isEmpty()) {
      text().ifPresent(text -> context.attributes().setSeed(seed(text, name)));
    }
    return property.execute();
  }

  static String seed(String text, String property) {
    byte[] both = (text + " " + property).getBytes(StandardCharsets.UTF_8);
    return Long.toString(UUID.nameUUIDFromBytes(both).getMostSignificantBits());
  }

  private static Optional<String> text() {
    return Optional.ofNullable(System.getProperty(PROPERTY, System.getenv(VARIABLE)))
        .filter(text -> !text.isBlank());
  }
}
